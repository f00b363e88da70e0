import type { PageLayoutProps } from '@tilth/site'
import OnThisPage from '../components/OnThisPage'

export default function Page({ hasTitle, outline, contents, words, head, children }: PageLayoutProps) {
  if (!contents)
    return (
      <article className={hasTitle ? 'post page titled' : 'post page'}>
        {head}
        {children}
      </article>
    )
  const { newest, previous, next } = contents
  return (
    <div className="docs-page">
      <OnThisPage outline={outline} words={words} />
      <article className="docs-text">
        {newest && (
          <p className="docs-old" role="note">
            {words.oldVersion} <a href={newest}>{words.toNewest}</a>
          </p>
        )}
        {head}
        {children}
        {(previous || next) && (
          <nav className="docs-ways" aria-label={words.pages}>
            {previous && (
              <a className="docs-previous" href={previous.address} rel="prev">
                <span>{words.previous}</span> <strong dir="auto">{previous.title}</strong>
              </a>
            )}
            {next && (
              <a className="docs-next" href={next.address} rel="next">
                <span>{words.next}</span> <strong dir="auto">{next.title}</strong>
              </a>
            )}
          </nav>
        )}
      </article>
    </div>
  )
}
