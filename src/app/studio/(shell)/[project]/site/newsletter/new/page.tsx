export { metadata, NewLetterPage as default } from '#studio/posts/letters/new/NewLetterPage'
