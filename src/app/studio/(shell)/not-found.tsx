export { MissingPage as default } from '#studio/shell/MissingPage'
