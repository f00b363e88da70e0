export { metadata, PagesPage as default } from '#studio/posts/PagesPage'
