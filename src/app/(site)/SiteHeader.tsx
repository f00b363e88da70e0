import type { ReactNode } from 'react'
import type { Site } from '#posts/site'
import { searchPage } from './blog-list'
import { translationFor } from './translations'

interface SiteHeaderProps {
  site: Site
  /** The path of the current page. */
  path: string
  /** Links to the page in other languages. */
  languages: ReactNode
}

const home = '/'

export function SiteHeader({ site, path, languages }: SiteHeaderProps) {
  const words = translationFor(site)
  return (
    <header className="site-header">
      <a className="site-name" href={home} aria-current={path === home ? 'page' : undefined}>
        {site.logo ? (
          <img src={site.logo} alt={site.name} height={32} />
        ) : (
          <span dir="auto">{site.name}</span>
        )}
      </a>
      <nav aria-label={words.mainNavigation}>
        <ul>
          {site.navigation.map(({ label, address }) => (
            <li key={`${label} ${address}`}>
              <a href={address} aria-current={currentAt(address, path)}>
                {label}
              </a>
            </li>
          ))}
          {site.staticServer === undefined && (
            <li>
              <a
                className="site-search"
                href={searchPage}
                aria-current={currentAt(searchPage, path)}
                aria-label={words.search}
              >
                <SearchIcon />
              </a>
            </li>
          )}
        </ul>
      </nav>
      {languages}
    </header>
  )
}

/** A link is to this very page, or to what this page is a part of. */
function currentAt(address: string, path: string): 'page' | 'true' | undefined {
  if (address === path) return 'page'
  const isWithin = address !== home && path.startsWith(`${address}/`) && path !== searchPage
  return isWithin ? 'true' : undefined
}

function SearchIcon() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <circle cx="11" cy="11" r="7" />
      <path d="m20 20-4-4" />
    </svg>
  )
}
