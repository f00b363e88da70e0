/** What a sender shows for a survey's page: that its PIN was entered, and the token of a link. */
interface AccessProof {
  pin?: string | undefined
  link?: string | undefined
}

const linkMark = 'link:'

/** One text, so that a page's script carries it without knowing what it holds. */
export const writeAccessProof = ({ pin, link }: AccessProof): string | undefined =>
  [pin, link === undefined ? undefined : linkMark + link].filter((part) => part !== undefined).join(' ') ||
  undefined

export function readAccessProof(text: string | undefined): AccessProof {
  const parts = (text ?? '').split(' ').filter((part) => part !== '')
  return {
    pin: parts.find((part) => !part.startsWith(linkMark)),
    link: parts.find((part) => part.startsWith(linkMark))?.slice(linkMark.length),
  }
}
