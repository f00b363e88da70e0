import type { Seal } from '#flags/seal'
import { readSignedToken, signToken } from '#outbound/signature'

/** The paths of links in letters, each followed by a token. */
export const newsletterPath = '/_tilth/newsletter'

/** The action of a signed link. A click names the place of its link in the letter, never an address. */
export type LetterLink =
  | { do: 'unsubscribe'; subscriber: string; delivery: string | undefined }
  | { do: 'click'; delivery: string; link: number }

/** Makes and reads the links of letters: signed, and good for one subscriber or delivery. */
export class SubscriptionLinks {
  constructor(private readonly seal: Pick<Seal, 'digest'>) {}

  /** The address under which a confirmation is asked for. */
  readonly confirmation = (origin: string, token: string): string =>
    `${origin}${newsletterPath}/confirm/${token}`

  unsubscribe(origin: string, subscriber: string, delivery?: string): string {
    const token = this.sign(['u', subscriber, delivery ?? ''])
    return `${origin}${newsletterPath}/unsubscribe/${token}`
  }

  click(origin: string, delivery: string, link: number): string {
    return `${origin}${newsletterPath}/click/${this.sign(['c', delivery, String(link)])}`
  }

  read(token: string): LetterLink | undefined {
    const content = token.length > 500 ? undefined : readSignedToken(token, this.key())
    const [kind, id = '', rest = ''] = content?.split(' ') ?? []
    if (kind === 'u') return { do: 'unsubscribe', subscriber: id, delivery: rest || undefined }
    return kind === 'c' ? { do: 'click', delivery: id, link: Number(rest) } : undefined
  }

  /**
   * The return path of one delivery. The mailbox gets all mail of its subaddresses:
   * https://www.rfc-editor.org/rfc/rfc5233
   */
  returnPath(mailbox: string, delivery: string): string {
    const at = mailbox.lastIndexOf('@')
    return `${mailbox.slice(0, at)}+${this.bounceTag(delivery)}${mailbox.slice(at)}`
  }

  /** Finds the deliveries that a message names as the recipients of its return paths. */
  deliveriesNamedIn(message: string): string[] {
    const tags = Array.from(message.matchAll(/\+([\da-f]{32})-([\da-f]{16})@/gi))
    const ids = tags.flatMap(([tag, hex = '']) => {
      const id = hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
      return tag.toLowerCase() === `+${this.bounceTag(id)}@` ? [id] : []
    })
    return [...new Set(ids)]
  }

  /** Mail servers may change the case of an address, so that the tag is hexadecimal. */
  private bounceTag(delivery: string): string {
    const proof = Buffer.from(this.seal.digest(`returned letter ${delivery}`))
      .toString('hex')
      .slice(0, 16)
    return `${delivery.replaceAll('-', '')}-${proof}`
  }

  private sign(parts: readonly string[]): string {
    return signToken(parts.join(' '), this.key())
  }

  private key(): string {
    return this.seal.digest('links in letters of posts')
  }
}
