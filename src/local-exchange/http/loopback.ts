/** Whether an address or a host name belongs to this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^::ffff:/i, '').replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || /^127(?:\.\d{1,3}){3}$/.test(bare);
}

/** Whether a header `Host`, with or without a port, names this machine. True for a request without the header. */
export function namesThisMachine(host: string | undefined): boolean {
  return host === undefined || isLoopback(host.toLowerCase().replace(/:\d*$/, ''));
}
