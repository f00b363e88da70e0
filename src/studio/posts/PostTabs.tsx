import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#studio/paths'

/** The tabs of the room Site. Pages without a tab of their own light the one they are reached from. */
export function PostTabs({
  slug,
  current,
}: {
  slug: string
  current: 'pages' | 'posts' | 'newsletter' | 'comments' | 'design'
}) {
  return (
    <LinkTabs
      label="Site"
      tabs={[
        { label: 'Pages', href: paths.pages(slug), current: current === 'pages' },
        { label: 'Posts', href: paths.posts(slug), current: current === 'posts' },
        { label: 'Newsletter', href: paths.letters(slug), current: current === 'newsletter' },
        { label: 'Comments', href: paths.comments(slug), current: current === 'comments' },
        { label: 'Design', href: paths.siteSettings(slug), current: current === 'design' },
      ]}
    />
  )
}
