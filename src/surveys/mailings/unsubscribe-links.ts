import { z } from 'zod'
import { readSignedToken, signToken } from '#outbound/signature'
import type { Seal } from '#flags/seal'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { suppressAddress } from './internal/store'

interface UnsubscribeLinksDependencies {
  store: Store
  world: Pick<World, 'now'>
  seal: Pick<Seal, 'digest'>
  /** The address of this Tilth. */
  address: string
}

interface Unsubscription {
  projectId: number
  address: string
}

/** The path of the links that end letters, followed by a token. */
export const unsubscribePath = '/_tilth/survey-letters'

const content = z.object({ projectId: z.number(), address: z.string() })

/** Links in letters that end them. Opening one changes nothing; the mail program or the recipient sends a POST. */
export class UnsubscribeLinks {
  constructor(private readonly dependencies: UnsubscribeLinksDependencies) {}

  linkFor({ projectId, address }: Unsubscription): string {
    const token = signToken(JSON.stringify({ projectId, address }), this.key())
    return new URL(`${unsubscribePath}/${token}`, this.dependencies.address).href
  }

  read(token: string): Unsubscription | undefined {
    const text = token.length > 2000 ? undefined : readSignedToken(token, this.key())
    const read = text === undefined ? undefined : content.safeParse(JSON.parse(text)) // signed by linkFor alone
    return read?.success ? read.data : undefined
  }

  async apply({ projectId, address }: Unsubscription): Promise<void> {
    const { store, world } = this.dependencies
    await suppressAddress(store, projectId, address, world.now())
  }

  private key(): string {
    return this.dependencies.seal.digest('links in letters of surveys')
  }
}
