export { metadata, ImagesPage as default } from '#studio/posts/images/ImagesPage'
