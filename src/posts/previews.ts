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
type PreviewedPost = Pick<z.infer<typeof tokenContent>, 'projectId' | 'id'>

/** Creates and reads links to drafts. Their tokens are sealed and last a week. */
export class Previews {
  constructor(private readonly dependencies: Dependencies) {}

  tokenFor({ projectId, id }: PreviewedPost): string {
    const until = new Date(this.dependencies.world.now().getTime() + previewDays * 24 * 3_600_000)
    // the sealed value is JSON text; its quotes are removed because a URL cannot contain them
    return this.dependencies.seal.close(JSON.stringify({ projectId, id, until }), sealPurpose).slice(1, -1)
  }

  /** Returns undefined if the link has expired or was not sealed here. */
  read(token: string): PreviewedPost | undefined {
    if (token.length > maxTokenLength) return undefined
    const opened = this.dependencies.seal.open(`"${token}"`, sealPurpose)
    // only this server can have sealed it, but maybe an earlier version
    const read = opened === undefined ? undefined : tokenContent.safeParse(JSON.parse(opened)).data
    return read && new Date(read.until) > this.dependencies.world.now() ? read : undefined
  }
}
