import { type Diagram, mayHoldDiagrams } from '../diagrams'
import { readMarkdown } from '../markdown'
import type { Post } from '../post'
import type { Published } from '../published/published'
import type { Drawings } from './drawings'

interface SiteDiagramsDependencies {
  published: Pick<Published, 'everything' | 'posts' | 'pages' | 'projectIds' | 'onChange'>
  drawings: Pick<Drawings, 'prepare'>
  onTrouble: (problem: unknown) => void
}

/**
 * The diagrams of published posts. A post is read once for its diagrams, so that a request for an unknown address costs
 * a look-up; new diagrams are drawn in the background when posts are published.
 */
export class SiteDiagrams {
  private readonly byPost = new WeakMap<Post, readonly Diagram[]>()
  private readonly outdated = new Set<number>()
  private preparation: Promise<void> | undefined
  private stopListening: (() => void) | undefined

  constructor(private readonly dependencies: SiteDiagramsDependencies) {}

  /** Returns a diagram that everybody may see now, and its post. */
  find(projectId: number, address: string, now: Date): { diagram: Diagram; post: Post } | undefined {
    const { published } = this.dependencies
    for (const post of [...published.posts(projectId, now), ...published.pages(projectId, now)]) {
      const diagram = this.diagramsOf(post).find((one) => one.address === address)
      if (diagram) return { diagram, post }
    }
    return undefined
  }

  /** Draws the diagrams of every project now and after each change. */
  prepareAll(): void {
    const { published } = this.dependencies
    this.stopListening = published.onChange((projectId) => this.prepare(projectId))
    for (const projectId of published.projectIds()) this.prepare(projectId)
  }

  async close(): Promise<void> {
    this.stopListening?.()
    this.outdated.clear()
    await this.preparation
  }

  private prepare(projectId: number): void {
    this.outdated.add(projectId)
    this.preparation ??= this.prepareOutdated()
      .catch(this.dependencies.onTrouble)
      .finally(() => (this.preparation = undefined))
  }

  private async prepareOutdated(): Promise<void> {
    // other listeners of the same change come first
    await Promise.resolve()
    for (const projectId of this.outdated) {
      this.outdated.delete(projectId)
      const { drawings, published } = this.dependencies
      await drawings.prepare(published.everything(projectId), (post) => this.diagramsOf(post))
    }
  }

  private diagramsOf(post: Post): readonly Diagram[] {
    const known = this.byPost.get(post)
    if (known) return known
    const { body } = post
    const found = mayHoldDiagrams(body) ? readMarkdown(body).diagrams : []
    this.byPost.set(post, found)
    return found
  }
}
