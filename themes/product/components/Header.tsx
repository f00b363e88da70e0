import type { Link, Site, Words } from '@tilth/site'
import type { ReactNode } from 'react'

interface HeaderProps {
  site: Site
  path: string
  words: Words
  /** Links to the page in other languages. */
  children: ReactNode
}

/** The last of several links of the navigation is a button: what visitors should do. */
export default function Header({ site, path, words, children }: HeaderProps) {
  const action = site.navigation.length > 1 ? site.navigation.at(-1) : undefined
  const links = action ? site.navigation.slice(0, -1) : site.navigation
  return (
    <header className="product-header">
      <div className="column wide">
        <a className="site-name" href="/" aria-current={path === '/' ? 'page' : undefined}>
          {site.logo ? (
            <img src={site.logo} alt={site.name} height={32} />
          ) : (
            <span dir="auto">{site.name}</span>
          )}
        </a>
        <nav aria-label={words.mainNavigation}>
          <ul>
            {links.map((link) => (
              <li key={`${link.label} ${link.address}`}>
                <a href={link.address} aria-current={currentAt(link, path)}>
                  {link.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {children}
        {action && (
          <a className="press" href={action.address}>
            {action.label}
          </a>
        )}
      </div>
    </header>
  )
}

function currentAt({ address }: Link, path: string): 'page' | 'true' | undefined {
  if (address === path) return 'page'
  return address !== '/' && path.startsWith(`${address}/`) ? 'true' : undefined
}
