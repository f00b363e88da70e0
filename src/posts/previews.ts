import { z } from 'zod'
import type { Seal } from '../flags/sealed'
import type { World } from '../world/world'

interface Ground {
  seal: Seal
  world: World
}

const about = 'previewing a post'
const longestToken = 2000

export const previewDays = 7

const kept = z.object({ projectId: z.number(), id: z.string(), until: z.iso.datetime() })

/** Which post somebody may look at before it is published. */
export type Previewed = Pick<z.infer<typeof kept>, 'projectId' | 'id'>

/** Links that show a draft to whoever has them: sealed by us, for a week. */
export class Previews {
  constructor(private readonly ground: Ground) {}

  tokenFor({ projectId, id }: Previewed): string {
    const until = new Date(this.ground.world.now().getTime() + previewDays * 24 * 3_600_000)
    // what is sealed is JSON's text, whose quotes an address cannot hold
    return this.ground.seal.close(JSON.stringify({ projectId, id, until }), about).slice(1, -1)
  }

  /** Undefined for what is over, and for what we have not sealed. */
  read(token: string): Previewed | undefined {
    if (token.length > longestToken) return undefined
    const words = this.ground.seal.open(`"${token}"`, about)
    // only we can have sealed it, but an earlier version of us may have
    const read = words === undefined ? undefined : kept.safeParse(JSON.parse(words)).data
    return read && new Date(read.until) > this.ground.world.now() ? read : undefined
  }
}
