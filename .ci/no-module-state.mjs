/**
 * A lint rule: the values of a module stay as they were when the module was loaded. A value that changes would be shared by all runs of a
 * process, and no run would own it. It needs an owner, or must be passed on.
 *
 * Reports `let` and `var` of a module, writes to a member of one of its names or of an imported one, assignable static members,
 * instances of classes not known to be constant, and constants whose type allows changes.
 */
import { isTypeReadonly } from '@typescript-eslint/type-utils';

/** Types that TypeScript calls mutable, but that no code changes. */
const CONSTANT_TYPES = [
  { from: 'lib', name: ['RegExp', 'Float64Array', 'Int32Array', 'Uint8Array'] },
  { from: 'package', package: 'decimal.js', name: 'Decimal' },
  {
    from: 'package',
    package: 'zod',
    name: ['ZodArray', 'ZodEnum', 'ZodNullable', 'ZodNumber', 'ZodObject', 'ZodString'],
  },
];
const CONSTANT_CLASSES = /^(\w*Decimal|RegExp)$/;
/** Typed arrays have no readonly type. Only an empty one cannot change. */
const TYPED_ARRAY = /^(Big)?(Int|Uint|Float)\d+(Clamped)?Array$/;
/** Collections with methods that change them. */
const COLLECTION = /^(Weak)?(Map|Set)$/;
const READONLY_COLLECTION = /^Readonly(Map|Set)$/;
const WRITING_METHODS =
  /^(add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift)$/;

const messages = {
  rebound: 'State of a module: give it an owner, or hand the value on.',
  written: 'This changes {{name}}, which is of the module: give it an owner, or hand the value on.',
  mutable:
    'State of a module: give it an owner, or a type by which nothing can change it, such as `as const`, ReadonlyMap or readonly T[].',
};

/** `wanted`: name of the type that other code sees. */
function isConstantInstance({ callee, arguments: [length] }, wanted) {
  if (callee.type !== 'Identifier') return false;
  if (CONSTANT_CLASSES.test(callee.name)) return true;
  if (COLLECTION.test(callee.name)) return READONLY_COLLECTION.test(wanted);
  return TYPED_ARRAY.test(callee.name) && (length === undefined || length.value === 0);
}

/** The name at the root of `a.b[c]`. */
function rootOf(node) {
  return node.type === 'MemberExpression' ? rootOf(node.object) : node;
}

export const noModuleState = {
  meta: { type: 'problem', messages, schema: [] },
  create(context) {
    const { sourceCode } = context;
    const services = sourceCode.parserServices;
    const { program, getTypeAtLocation } = services;
    const isOfModule = (node) => sourceCode.getScope(node).type === 'module';

    function nameOfWanted(node) {
      const expression = services.esTreeNodeToTSNodeMap.get(node);
      return program.getTypeChecker().getContextualType(expression)?.symbol?.name;
    }

    /** Reports a write to `node`, or to a member of it, if its root name belongs to the module. */
    function checkWrite(node) {
      const root = rootOf(node);
      if (root.type !== 'Identifier') return;
      const { references } = sourceCode.getScope(root);
      const { resolved } = references.find(({ identifier }) => identifier === root) ?? {};
      if (resolved?.scope.type === 'module')
        context.report({ node, messageId: 'written', data: { name: root.name } });
    }

    const checkAssigned = (target) => {
      if (target.type === 'MemberExpression') checkWrite(target);
    };

    function isMutable({ id, init }) {
      if (init?.type === 'NewExpression') return false; // NewExpression checks these everywhere.
      const type = getTypeAtLocation(id);
      if (COLLECTION.test(type.symbol?.name)) return true;
      const options = { treatMethodsAsReadonly: true, allow: CONSTANT_TYPES };
      return !isTypeReadonly(program, type, options);
    }

    return {
      VariableDeclaration(node) {
        if (!isOfModule(node) || node.declare) return;
        if (node.kind !== 'const') context.report({ node, messageId: 'rebound' });
        for (const declared of node.declarations)
          if (isMutable(declared)) context.report({ node: declared, messageId: 'mutable' });
      },
      NewExpression(node) {
        if (isOfModule(node) && !isConstantInstance(node, nameOfWanted(node)))
          context.report({ node, messageId: 'mutable' });
      },
      'Literal[regex.flags=/[gy]/]'(node) {
        if (isOfModule(node)) context.report({ node, messageId: 'mutable' });
      },
      'PropertyDefinition[static=true][readonly!=true]'(node) {
        context.report({ node, messageId: 'rebound' });
      },
      AssignmentExpression: ({ left }) => checkAssigned(left),
      UpdateExpression: ({ argument }) => checkAssigned(argument),
      'UnaryExpression[operator="delete"]': ({ argument }) => checkAssigned(argument),
      'CallExpression[callee.type="MemberExpression"]'({ callee }) {
        if (WRITING_METHODS.test(callee.property.name)) checkWrite(callee.object);
      },
      'CallExpression[callee.object.name="Object"]'({ callee, arguments: [target] }) {
        if (/^(assign|define)/.test(callee.property.name)) checkWrite(target);
      },
    };
  },
};
