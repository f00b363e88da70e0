/** Interface texts inside a rendered post. */
export interface DocumentWords {
  footnotes: string
  back: string
  table: string
  done: string
  open: string
}

export const englishWords: DocumentWords = {
  footnotes: 'Footnotes',
  back: 'Back to the text',
  table: 'Table',
  done: 'Done',
  open: 'To do',
}
