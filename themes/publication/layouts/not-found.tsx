import type { NotFoundLayoutProps } from '@tilth/site'

export default function NotFound({ words, search }: NotFoundLayoutProps) {
  return (
    <div className="column alone">
      <p className="status">404</p>
      <h1>{words.notFound}</h1>
      <p className="lead-words">{words.notFoundAdvice}</p>
      {search}
      <p>
        <a href="/">{words.toFrontPage}</a>
      </p>
    </div>
  )
}
