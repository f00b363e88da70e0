/** What a stretch of code is; it decides its colour. */
export type EditorTokenKind = 'plain' | 'keyword' | 'function' | 'string' | 'number' | 'comment' | 'parameter'

export interface EditorToken {
  kind: EditorTokenKind
  text: string
}

/** What a code editor offers to complete a word with. */
export interface CodeSuggestion {
  /** What takes the place of the word. */
  text: string
  /** What it is: `column of events`. */
  about: string
}

export interface CodeCompletion {
  /** The part of the word that is written already, up to the caret. */
  word: string
  suggestions: readonly CodeSuggestion[]
}

/** How an editor reads the language that is written in it. */
export interface CodeLanguage {
  tokensIn: (text: string) => readonly EditorToken[]
  completionAt?: (text: string, caret: number) => CodeCompletion | undefined
}
