/** @type {import('prettier').Config} */
export default {
  printWidth: 100,
  singleQuote: true,
  overrides: [
    // Decimals in YAML are double-quoted strings everywhere in the documentation.
    { files: '*.{yaml,yml}', options: { singleQuote: false } },
  ],
};
