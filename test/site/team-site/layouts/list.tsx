import type { ListLayoutProps } from '@tilth/site'

export default function ListLayout({ posts, children, pager }: ListLayoutProps) {
  return (
    <section className="column">
      <h1>{`${posts.length} by the team`}</h1>
      {children}
      {pager}
    </section>
  )
}
