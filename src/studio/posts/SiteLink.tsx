import { ExternalLink } from 'lucide-react'
import { addressOf, type Post } from '#posts/post'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'

/** Opens the site in a new tab: at its own address, or a preview of it. */
export function SiteLink({ origin }: { origin: string | undefined }) {
  if (origin === undefined) return null
  return (
    <LinkButton href={`${origin}/`} target="_blank" rel="noopener" icon={<Icon of={ExternalLink} />}>
      View site
    </LinkButton>
  )
}

/** Opens a published post in a new tab. */
export function PostLink({ origin, post }: { origin: string; post: Pick<Post, 'kind' | 'slug'> }) {
  return (
    <LinkButton
      href={`${origin}${addressOf(post)}`}
      target="_blank"
      rel="noopener"
      size="sm"
      variant="quiet"
      square
      aria-label={post.kind === 'post' ? 'View post' : 'View page'}
      icon={<Icon of={ExternalLink} size="sm" />}
    />
  )
}
