import type { Site } from '#posts/site'
import { feedsOfSite } from './describe-page'
import { translationFor } from './translations'

export function SiteFooter({ site }: { site: Site }) {
  const words = translationFor(site.language)
  return (
    <footer className="site-footer">
      <p dir="auto">{site.footerText || site.name}</p>
      <nav aria-label={words.footerNavigation}>
        <ul>
          {site.footer.map(({ label, address }) => (
            <li key={`${label} ${address}`}>
              <a href={address}>{label}</a>
            </li>
          ))}
          <li>
            <a href={feedsOfSite.rss}>{words.feed}</a>
          </li>
        </ul>
      </nav>
    </footer>
  )
}
