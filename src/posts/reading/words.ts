/** What a post says that nobody wrote into it. */
export interface ReadingWords {
  footnotes: string
  back: string
  table: string
  done: string
  open: string
}

export const englishWords: ReadingWords = {
  footnotes: 'Footnotes',
  back: 'Back to the text',
  table: 'Table',
  done: 'Done',
  open: 'To do',
}
