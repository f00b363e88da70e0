export { metadata, CommentsPage as default } from '#studio/posts/comments/CommentsPage'
