import type { PostLayoutProps } from '@tilth/site'

export default function Post({ post, head, contents, children, foot, comments, readNext }: PostLayoutProps) {
  return (
    <>
      <article className="post" data-post={post.address}>
        {head}
        {contents}
        {children}
        {foot}
      </article>
      {comments}
      {readNext}
    </>
  )
}
