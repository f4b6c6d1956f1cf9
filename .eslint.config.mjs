import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const size = (max) => ['error', { max, skipBlankLines: true, skipComments: true }];

/** Lint rules of the house. `topology/` is pure: what would make it impure is banned there by name. */
export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', '.cache/**'] },
  js.configs.recommended,
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', module: 'writable', URL: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/prefer-nullish-coalescing': 'error',
      'max-lines': size(350),
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['topology/**/*.ts', 'schemas/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'Date', 'process', 'console', 'crypto', 'setTimeout', 'setInterval', 'fetch'],
      'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
      'no-restricted-syntax': [
        'error',
        { selector: 'AwaitExpression', message: 'topology decides synchronously.' },
        { selector: ':function[async=true]', message: 'topology decides synchronously.' },
        { selector: 'ThrowStatement', message: 'Bad input is data: return a verdict.' },
      ],
    },
  },
);
