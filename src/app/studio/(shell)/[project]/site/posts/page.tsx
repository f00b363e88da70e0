export { metadata, BlogPage as default } from '#studio/posts/BlogPage'
