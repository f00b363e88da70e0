import type { Comment } from '#posts/comments/comment'
import { addressOf, type Post } from '#posts/post'
import type { Site } from '#posts/site'
import { VisitorForm } from './VisitorForm'
import { longDate, translationFor } from './translations'

interface CommentsProps {
  post: Post
  comments: readonly Comment[]
  site: Site
}

/** The readers' comments below a post, and the form for the next one. */
export function Comments({ post, comments, site }: CommentsProps) {
  const words = translationFor(site)
  return (
    <section className="column comments" aria-labelledby="comments">
      <h2 id="comments">{words.comments}</h2>
      {comments.length > 0 && (
        <ol className="comment-list">
          {comments.map((comment) => (
            <li key={comment.id}>
              <p className="comment-head">
                <strong dir="auto">{comment.name}</strong>{' '}
                <time dateTime={comment.writtenAt.toISOString()}>{longDate(comment.writtenAt, site)}</time>
              </p>
              <p className="comment-text" dir="auto">
                {comment.text}
              </p>
            </li>
          ))}
        </ol>
      )}
      <VisitorForm kind="comment" name="comment" thanks={words.commentThanks}>
        <input type="hidden" name="post" value={addressOf(post)} />
        <label htmlFor="comment-name">{words.yourName}</label>
        <input id="comment-name" name="name" required maxLength={80} autoComplete="name" />
        <label htmlFor="comment-text">{words.yourComment}</label>
        <textarea id="comment-text" name="text" required maxLength={5000} rows={5} />
        <p>
          <button type="submit">{words.send}</button>
        </p>
      </VisitorForm>
    </section>
  )
}
