/** The look of the overlay, in the appearance of the page. */
export const overlayRules = `
  dialog {
    box-sizing: border-box;
    width: min(60rem, calc(100vw - 2rem));
    max-height: calc(100vh - 2rem);
    padding: 1.5rem;
    overflow: auto;
    border: 1px solid light-dark(#c9c4bb, #4a463f);
    border-block-start: 4px solid light-dark(#b3261e, #f2857c);
    border-radius: 0.5rem;
    background: light-dark(#fff, #1d1b18);
    color: light-dark(#1c1a16, #ece8e1);
    font: 1rem/1.5 system-ui, sans-serif;
    overflow-wrap: anywhere;
  }
  dialog::backdrop { background: rgb(0 0 0 / 0.5) }
  h2 { margin: 0 0 1rem; font-size: 1rem }
  section { margin-block-end: 1.5rem }
  p { margin: 0 0 0.5rem }
  .message { color: light-dark(#a11d16, #ff9a91); font-size: 1.25rem; font-weight: 600; white-space: pre-wrap }
  .place, pre, ol { font-family: ui-monospace, monospace; font-size: 0.875rem }
  pre { margin: 0 0 0.5rem; padding: 0.75rem; overflow: auto; background: light-dark(#f4f2ee, #2a2723) }
  mark { background: light-dark(#fbd9d6, #5c2420); color: inherit }
  ol { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none }
  li + li::before { content: '‹'; margin-inline: 0.5em }
  button { padding: 0.375rem 1rem; font: inherit }
`
