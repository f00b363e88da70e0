import type { DefaultLayoutProps } from '@tilth/site'

export default function Layout({ site, children, footer }: DefaultLayoutProps) {
  return (
    <>
      <header className="team-bar">
        <a href="/">{site.name} by the team</a> <a href="/pricing">Pricing</a>
      </header>
      {children}
      {footer}
    </>
  )
}
