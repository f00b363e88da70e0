export { metadata, LettersPage as default } from '#studio/posts/letters/LettersPage'
