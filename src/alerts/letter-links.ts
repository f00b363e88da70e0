import { z } from 'zod'
import { sealed, unsealed } from '../outbound/signature'
import type { Store } from '../store/store'
import type { World } from '../world/world'
import { letterKey } from './contacts/store'

/** What a link in a letter does, once somebody presses the button behind it. */
const wish = z.discriminatedUnion('do', [
  z.object({ do: z.literal('confirm'), project: z.number(), address: z.string() }),
  z.object({
    do: z.literal('unsubscribe'),
    project: z.number(),
    /** As `recipientKey` has it. */
    recipient: z.string(),
    about: z.string(),
  }),
])
export type LetterWish = z.infer<typeof wish>

/** Links that need no signing in: what they say is sealed, and nothing happens by looking at them. */
export class LetterLinks {
  private key: Promise<string> | undefined

  constructor(private readonly ground: { store: Store; world: World; origin: string }) {}

  async linkFor(wanted: LetterWish): Promise<string> {
    const token = sealed(JSON.stringify(wanted), await this.sealKey())
    return `${this.ground.origin}/_tilth/letters/${token}`
  }

  async read(token: string): Promise<LetterWish | undefined> {
    if (token.length > 2000) return undefined
    const words = unsealed(token, await this.sealKey())
    // only we can have sealed it, but an earlier version of us may have
    const read = words === undefined ? undefined : wish.safeParse(JSON.parse(words))
    return read?.success ? read.data : undefined
  }

  private sealKey(): Promise<string> {
    const { store, world } = this.ground
    this.key ??= letterKey(store, () => Buffer.from(world.random(32)).toString('base64url'))
    this.key.catch(() => (this.key = undefined))
    return this.key
  }
}
