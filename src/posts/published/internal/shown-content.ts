import { translationKey } from '../../languages'
import { entryFingerprintOf, fingerprintOf } from '../../internal/memory'
import type { Author, Post } from '../../post'
import type { ContentPart } from './content-parts'
import type { Published } from '../published'

/** The noted use of a list: a part of the content, or `shown` for posts that `noteShown` or `noteListed` name. */
type ListUse = ContentPart | 'shown'

/** Called with each part of the content that a page uses, and with its fingerprint at that moment. */
type NoteContent = (part: string, fingerprint: string) => void

/**
 * The published content as a page reads it. It notes what the page uses, so that the page is rendered again when that
 * changes, and only then. A reading that names no part counts as a use of every text.
 */
export class ShownContent {
  constructor(
    private readonly published: Published,
    private readonly noteContent: NoteContent,
  ) {}

  posts(projectId: number, now: Date, use: ListUse = 'posts'): readonly Post[] {
    this.note(projectId, use, now)
    return this.published.posts(projectId, now)
  }

  pages(projectId: number, now: Date, use: ListUse = 'pages'): readonly Post[] {
    this.note(projectId, use, now)
    return this.published.pages(projectId, now)
  }

  bySlug(projectId: number, kind: Post['kind'], slug: string, now: Date): Post | undefined {
    const post = this.published.bySlug(projectId, kind, slug, now)
    if (post) this.noteShown([post])
    else this.note(projectId, kind === 'post' ? 'posts' : 'pages', now)
    return post
  }

  /** The post or page at a path. It is noted where the page shows more of it than where it is. */
  at(projectId: number, path: string, now: Date): Post | undefined {
    return this.published.at(projectId, path, now)
  }

  translations(post: Post, now: Date): readonly Post[] {
    this.note(post.projectId, `translations ${translationKey(post)}`, now)
    return this.published.translations(post, now)
  }

  authors(projectId: number): readonly Author[] {
    this.note(projectId, 'authors', new Date(0))
    return this.published.authors(projectId)
  }

  /** Redirects are not cached. */
  redirectFor(projectId: number, path: string): string | undefined {
    return this.published.redirectFor(projectId, path)
  }

  /** Notes posts of which the page shows the text. */
  noteShown(posts: readonly Post[]): void {
    for (const post of posts) this.noteContent(`post ${post.id}`, fingerprintOf(post))
  }

  /** Notes posts of which the page shows what lists show: no more of the text than its opening. */
  noteListed(posts: readonly Post[]): void {
    for (const post of posts) this.noteContent(`entry ${post.id}`, entryFingerprintOf(post))
  }

  note(projectId: number, use: ListUse, now: Date): void {
    const fingerprint = use === 'shown' ? undefined : this.published.fingerprint(projectId, use, now)
    if (fingerprint !== undefined) this.noteContent(use, fingerprint)
  }
}
