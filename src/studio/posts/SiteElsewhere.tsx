import { Notice } from '#ui/page/Notice'
import { Anchor } from '#ui/Anchor'
import { paths } from '#studio/paths'

/** Says why nothing here has a link to the site: its address shows another project's. */
export const SiteElsewhere = ({ slug, origin }: { slug: string; origin: string }) => (
  <Notice title="Visitors cannot open this site yet">
    {origin} shows another project’s site. Give this one a URL of its own under{' '}
    <Anchor href={paths.siteSettings(slug)}>Design</Anchor>. Until then the preview in the editor shows its
    posts and pages.
  </Notice>
)
