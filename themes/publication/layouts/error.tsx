import type { ErrorLayoutProps } from '@tilth/site'

export default function PageFailed({ words }: ErrorLayoutProps) {
  return (
    <div className="column alone">
      <p className="status">500</p>
      <h1>{words.pageFailed}</h1>
      <p className="lead-words">{words.pageFailedAdvice}</p>
      <p>
        <a href="/">{words.toFrontPage}</a>
      </p>
    </div>
  )
}
