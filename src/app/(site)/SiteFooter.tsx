import type { Site } from '#posts/site'
import { feedsOf } from './describe-page'
import { Slot } from './Slot'
import { translationFor } from './translations'

export function SiteFooter({ site }: { site: Site }) {
  const words = translationFor(site)
  return (
    <footer className="site-footer">
      <Slot place="footer" site={site} />
      <p dir="auto">{site.footerText || site.name}</p>
      <nav aria-label={words.footerNavigation}>
        <ul>
          {site.footer.map(({ label, address }) => (
            <li key={`${label} ${address}`}>
              <a href={address}>{label}</a>
            </li>
          ))}
          <li>
            <a href={feedsOf(site).rss}>{words.feed}</a>
          </li>
        </ul>
      </nav>
    </footer>
  )
}
