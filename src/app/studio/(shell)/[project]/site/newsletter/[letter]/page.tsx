export { generateMetadata, LetterPage as default } from '#studio/posts/letters/LetterPage'
