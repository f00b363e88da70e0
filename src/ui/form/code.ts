/** The kind of a stretch of code; it decides its colour. */
export type EditorTokenKind = 'plain' | 'keyword' | 'function' | 'string' | 'number' | 'comment' | 'parameter'

export interface EditorToken {
  kind: EditorTokenKind
  text: string
}

/** A completion that a code editor offers for a word. */
export interface CodeSuggestion {
  /** The text that replaces the word. */
  text: string
  /** A description of the completion: `column of events`. */
  about: string
}

export interface CodeCompletion {
  /** The part of the word that is written already, up to the caret. */
  word: string
  suggestions: readonly CodeSuggestion[]
}

/** The syntax of a language, as an editor reads it. */
export interface CodeLanguage {
  tokensIn: (text: string) => readonly EditorToken[]
  completionAt?: (text: string, caret: number) => CodeCompletion | undefined
}
