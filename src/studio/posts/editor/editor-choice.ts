export type EditorChoice = 'blocks' | 'markdown'

const storageName = 'tilth editor'
const choices: readonly EditorChoice[] = ['blocks', 'markdown']

/** The choice of this visit, for a browser that stores nothing. */
let chosen: EditorChoice | undefined
const listeners = new Set<() => void>()

/** How this writer edits posts. */
export function chosenEditor(): EditorChoice {
  chosen ??= storedChoice() ?? 'markdown'
  return chosen
}

function storedChoice(): EditorChoice | undefined {
  try {
    const stored = localStorage.getItem(storageName)
    return choices.find((choice) => choice === stored)
  } catch {
    return undefined
  }
}

export function chooseEditor(choice: EditorChoice): void {
  chosen = choice
  try {
    localStorage.setItem(storageName, choice)
  } catch {
    // a browser that stores nothing remembers it until the page is left
  }
  for (const listener of listeners) listener()
}

export function onEditorChoice(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
