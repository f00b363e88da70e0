/** What a sender shows for a survey's page: that its PIN was entered, the token of a link, and the key of a test. */
interface AccessProof {
  pin?: string | undefined
  link?: string | undefined
  test?: string | undefined
}

const marks = { link: 'link:', test: 'test:' } as const

/** One text, so that a page's script carries it without knowing what it holds. */
export const writeAccessProof = ({ pin, link, test }: AccessProof): string | undefined =>
  [pin, link && marks.link + link, test && marks.test + test].filter(Boolean).join(' ') || undefined

export function readAccessProof(text: string | undefined): AccessProof {
  const parts = (text ?? '').split(' ').filter((part) => part !== '')
  const marked = (mark: string) => parts.find((part) => part.startsWith(mark))?.slice(mark.length)
  return {
    pin: parts.find((part) => Object.values(marks).every((mark) => !part.startsWith(mark))),
    link: marked(marks.link),
    test: marked(marks.test),
  }
}
