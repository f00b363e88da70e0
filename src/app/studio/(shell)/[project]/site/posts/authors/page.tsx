export { metadata, AuthorsPage as default } from '#studio/posts/authors/AuthorsPage'
