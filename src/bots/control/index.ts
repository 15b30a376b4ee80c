/** The second entry point of this module: communication with running bots, without the code that makes them. */
export { askBot } from './control-client.js';
export { controlPath } from './control-path.js';
export { formatStatusJson, type ControlCommand, type ControlRequest } from './control-protocol.js';
export { untilUnanswered } from './control-socket.js';
export { socketPlace } from './socket-place.js';
export { untilHandedBack } from './take-back.js';
