import { z } from 'zod'
import type { Seal } from '#flags/seal'
import type { World } from '#world/world'

interface Dependencies {
  seal: Seal
  world: World
}

/** Each kind of link is sealed for itself, so that none is read as the other. */
const purposes = { post: 'previewing a post', page: 'previewing a page of the site folder' }
const maxTokenLength = 2000

export const previewDays = 7

const tokenContent = z.object({ projectId: z.number(), id: z.string(), until: z.iso.datetime() })

/** The draft that a preview link shows: a post by its number, or a page of the site folder by its path. */
interface PreviewedDraft {
  kind: keyof typeof purposes
  projectId: number
  id: string
}

/** Creates and reads links to drafts. Their tokens are sealed and last a week. */
export class Previews {
  constructor(private readonly dependencies: Dependencies) {}

  tokenFor({ kind, projectId, id }: PreviewedDraft): string {
    const until = new Date(this.dependencies.world.now().getTime() + previewDays * 24 * 3_600_000)
    // the sealed value is JSON text; its quotes are removed because a URL cannot contain them
    return this.dependencies.seal.close(JSON.stringify({ projectId, id, until }), purposes[kind]).slice(1, -1)
  }

  /** Returns undefined if the link has expired or was not sealed here. */
  read(kind: PreviewedDraft['kind'], token: string): Omit<PreviewedDraft, 'kind'> | undefined {
    if (token.length > maxTokenLength) return undefined
    const opened = this.dependencies.seal.open(`"${token}"`, purposes[kind])
    // only this server can have sealed it, but maybe an earlier version
    const read = opened === undefined ? undefined : tokenContent.safeParse(JSON.parse(opened)).data
    return read && new Date(read.until) > this.dependencies.world.now() ? read : undefined
  }
}
