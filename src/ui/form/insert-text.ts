/** As if it had been typed, so that it can be undone as what is typed can. */
export function insertText(field: HTMLTextAreaElement, text: string): void {
  field.focus()
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else keeps the browser's list of what can be undone
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
