import { ExternalLink } from 'lucide-react'
import { addressOf, type Post } from '#posts/post'
import type { Site } from '#posts/site'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'

/** The origin of a site that visitors can open; undefined while it is turned off. */
export const openOrigin = ({ isOn, origin }: Pick<Site, 'isOn' | 'origin'>): string | undefined =>
  isOn && origin !== '' ? origin : undefined

/** Opens the site in a new tab, at its own address. */
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
