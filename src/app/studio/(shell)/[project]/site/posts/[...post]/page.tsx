export { generateMetadata, PostPage as default } from '#studio/posts/PostPage'
