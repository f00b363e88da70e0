import type { HomeLayoutProps } from '@tilth/site'

/** The front page of a site without a page at `/`. */
export default function Home({ head, children, words }: HomeLayoutProps) {
  return (
    <div className="column wide">
      {head}
      <h2 className="unseen">{words.newestPosts}</h2>
      {children}
      <p className="onward">
        <a href="/blog">{words.allPosts}</a>
      </p>
    </div>
  )
}
