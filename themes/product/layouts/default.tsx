import type { DefaultLayoutProps } from '@tilth/site'
import Header from '../components/Header'

export default function Default({
  site,
  path,
  words,
  banner,
  languages,
  children,
  footer,
}: DefaultLayoutProps) {
  return (
    <>
      {banner}
      <Header site={site} path={path} words={words}>
        {languages}
      </Header>
      {children}
      {footer}
    </>
  )
}
