import { z } from 'zod'
import type { Seal } from '#flags/seal'
import type { World } from '#world/world'

interface Dependencies {
  seal: Seal
  world: World
}

const sealPurpose = 'previewing a post'
const maxTokenLength = 2000

export const previewDays = 7

const tokenContent = z.object({ projectId: z.number(), id: z.string(), until: z.iso.datetime() })

/** The post that a preview link shows. */
export type PreviewedPost = Pick<z.infer<typeof tokenContent>, 'projectId' | 'id'>

/** Creates and reads links to drafts. Their tokens are sealed and last a week. */
export class Previews {
  constructor(private readonly dependencies: Dependencies) {}

  tokenFor({ projectId, id }: PreviewedPost): string {
    const until = new Date(this.dependencies.world.now().getTime() + previewDays * 24 * 3_600_000)
    // the sealed value is JSON text; its quotes are cut off because they cannot stand in a URL
    return this.dependencies.seal.close(JSON.stringify({ projectId, id, until }), sealPurpose).slice(1, -1)
  }

  /** Undefined for what is over, and for what we have not sealed. */
  read(token: string): PreviewedPost | undefined {
    if (token.length > maxTokenLength) return undefined
    const opened = this.dependencies.seal.open(`"${token}"`, sealPurpose)
    // only we can have sealed it, but an earlier version of us may have
    const read = opened === undefined ? undefined : tokenContent.safeParse(JSON.parse(opened)).data
    return read && new Date(read.until) > this.dependencies.world.now() ? read : undefined
  }
}
