export { NotFoundPage as default } from '#app/(site)/NotFoundPage'
