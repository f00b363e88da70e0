/** Proofs that a survey's page was opened, and its PIN entered; the token of a link; the key of a test. */
interface AccessProof {
  page?: string | undefined
  pin?: string | undefined
  link?: string | undefined
  test?: string | undefined
}

const marks = { page: 'page:', link: 'link:', test: 'test:' } as const

const markNames = ['page', 'link', 'test'] as const

/** Writes the proofs as one text, which a page's script carries without knowing what it holds. */
export const writeAccessProof = ({ pin, ...marked }: AccessProof): string | undefined =>
  [pin, ...markNames.map((name) => marked[name] && marks[name] + marked[name])].filter(Boolean).join(' ') ||
  undefined

export function readAccessProof(text: string | undefined): AccessProof {
  const parts = (text ?? '').split(' ').filter((part) => part !== '')
  const marked = (mark: string) => parts.find((part) => part.startsWith(mark))?.slice(mark.length)
  return {
    pin: parts.find((part) => Object.values(marks).every((mark) => !part.startsWith(mark))),
    page: marked(marks.page),
    link: marked(marks.link),
    test: marked(marks.test),
  }
}
