import type { PostLayoutProps } from '@tilth/site'

export default function PostLayout({ post, children }: PostLayoutProps) {
  return (
    <article className="team-post column">
      <h1>{post.title}</h1>
      {children}
    </article>
  )
}
