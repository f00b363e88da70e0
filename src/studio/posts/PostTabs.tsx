import { LinkTabs } from '#ui/page/LinkTabs'
import { paths } from '#studio/paths'

/** The tabs of all pages about a site. */
export function PostTabs({
  slug,
  current,
}: {
  slug: string
  current: 'posts' | 'pages' | 'letters' | 'images' | 'comments' | 'authors' | 'redirects' | 'site'
}) {
  return (
    <LinkTabs
      label="Site"
      tabs={[
        { label: 'Posts', href: paths.posts(slug), current: current === 'posts' },
        { label: 'Pages', href: paths.pages(slug), current: current === 'pages' },
        { label: 'Images', href: paths.images(slug), current: current === 'images' },
        { label: 'Letters', href: paths.letters(slug), current: current === 'letters' },
        { label: 'Comments', href: paths.comments(slug), current: current === 'comments' },
        { label: 'Authors', href: paths.authors(slug), current: current === 'authors' },
        { label: 'Redirects', href: paths.redirects(slug), current: current === 'redirects' },
        { label: 'Site', href: paths.siteSettings(slug), current: current === 'site' },
      ]}
    />
  )
}
