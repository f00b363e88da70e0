/** The time for which a button shows its outcome. */
const toldMs = 2000

/** A button at each piece of code that copies it: without a script it could do nothing, so the page has none. */
export function begin(): void {
  for (const code of document.querySelectorAll<HTMLElement>('pre')) addButton(code)
}

function addButton(code: HTMLElement): void {
  if (code.parentElement?.matches('.code-frame')) return
  const [frame, button] = [document.createElement('div'), document.createElement('button')]
  frame.className = 'code-frame'
  button.className = 'copy-code'
  button.type = 'button'
  const label = document.body.dataset.copy ?? 'Copy'
  const say = (words: string): void => {
    button.textContent = words
    setTimeout(() => (button.textContent = label), toldMs)
  }
  button.textContent = label
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent).then(
      () => say('✓'),
      () => say('✗'),
    )
  })
  code.replaceWith(frame)
  frame.append(code, button)
}
