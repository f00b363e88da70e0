import { z } from 'zod'
import { signToken, readSignedToken } from '#outbound/signature'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { letterKey, saveLetterKey } from './contacts/store'
import type { SecretSealing } from './internal/webhook-secret'

/** The action of a link in a letter. It is applied when the recipient presses the button on the page it opens. */
const letterLinkAction = z.discriminatedUnion('do', [
  z.object({ do: z.literal('confirm'), project: z.number(), address: z.string() }),
  z.object({
    do: z.literal('unsubscribe'),
    project: z.number(),
    /** The result of `recipientKey`. */
    recipient: z.string(),
    about: z.string(),
  }),
])
export type LetterLinkAction = z.infer<typeof letterLinkAction>

/** Links that need no sign-in: their content is signed, and opening one changes nothing. */
export class LetterLinks {
  private key: Promise<string> | undefined

  constructor(
    private readonly dependencies: { store: Store; world: World; origin: string; seal: SecretSealing },
  ) {}

  async linkFor(wanted: LetterLinkAction): Promise<string> {
    const token = signToken(JSON.stringify(wanted), await this.sealKey())
    return `${this.dependencies.origin}/_tilth/letters/${token}`
  }

  async read(token: string): Promise<LetterLinkAction | undefined> {
    if (token.length > 2000) return undefined
    const words = readSignedToken(token, await this.sealKey())
    // the signature is ours, but an earlier version may have written the content
    const read = words === undefined ? undefined : letterLinkAction.safeParse(JSON.parse(words))
    return read?.success ? read.data : undefined
  }

  private sealKey(): Promise<string> {
    this.key ??= this.readKey()
    this.key.catch(() => (this.key = undefined))
    return this.key
  }

  /**
   * The key is encrypted in the store. A plain key of an earlier version is encrypted now. A key that was encrypted
   * with another data folder's key is replaced, which invalidates the links in older letters.
   */
  private async readKey(): Promise<string> {
    const { store, world, seal } = this.dependencies
    const stored = await letterKey(store)
    const opened = stored === undefined ? undefined : seal.open(stored, aboutLetters)
    if (opened !== undefined) return opened
    const isPlain = stored !== undefined && /^[\w-]{43}$/.test(stored)
    const key = isPlain ? stored : Buffer.from(world.random(32)).toString('base64url')
    await saveLetterKey(store, seal.close(key, aboutLetters), stored)
    return await this.readKey()
  }
}

const aboutLetters = 'links in letters'
