export { generateMetadata, NewPostPage as default } from '#studio/posts/new/NewPostPage'
